/** Extensions of plain-text files: those that `content` may be sent for. */
const EXTENSIONS = {
  documents: 'txt text md markdown mdown mkd rst adoc asciidoc org tex bib log rtx nfo srt vtt sub po pot ics vcf eml',
  data: 'csv tsv psv json jsonl ndjson json5 geojson topojson xml yaml yml toml ini cfg conf config properties env plist sql graphql gql proto avsc har dif ldif rdf ttl nt n3 jsonld webmanifest lock',
  markup:
    'html htm xhtml css scss sass less styl svg xsl xslt xsd dtd mml vue svelte astro hbs mustache ejs pug jinja j2 liquid twig njk',
  code: 'js mjs cjs jsx ts mts cts tsx py pyi rb rs go java kt kts scala groovy gradle c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb swift dart php pl pm lua r jl hs lhs elm ex exs erl hrl clj cljs cljc edn lisp el scm rkt ml mli nim zig v sv vhd vhdl asm s f f90 for pas pp d tcl awk sed sol move cairo wat ps1 psm1 bat cmd sh bash zsh fish ksh',
  build:
    'make mk cmake dockerfile containerfile tf tfvars hcl bzl bazel nix editorconfig gitignore gitattributes dockerignore npmrc nvmrc diff patch',
} as const

export const TEXT_EXTENSIONS: ReadonlySet<string> = new Set(Object.values(EXTENSIONS).flatMap(list => list.split(' ')))

/** Those that registries of media types assign to something else: videos, disks, slides or programs. */
const SHARED = new Set('bat mts org pot rs scm ts vhd'.split(' '))

/** True when the registered type of a text extension is not that of text. */
export function isSharedExtension(extension: string): boolean {
  return SHARED.has(extension)
}
