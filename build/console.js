import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { build } from 'esbuild'

const ROOT = resolve('console')
const MAIN = 'src/main.tsx'
const ASSETS = '/console/assets'
const SETTINGS = {
  absWorkingDir: ROOT,
  outdir: 'assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  write: false,
  target: 'es2023',
}

/** The files of the console by their names: a script for each view, one stylesheet, and the page that loads them. */
export async function buildConsole() {
  const scripts = await build({
    ...SETTINGS,
    entryPoints: { index: MAIN },
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // They are all in the stylesheet.
    loader: { '.css': 'empty' },
    metafile: true,
  })
  const styles = await build({
    ...SETTINGS,
    stdin: {
      contents: stylesOf(scripts.metafile)
        .map(name => `@import ${JSON.stringify(name)};`)
        .join('\n'),
      loader: 'css',
      resolveDir: ROOT,
      sourcefile: 'index.css',
    },
  })
  const files = [...scripts.outputFiles, ...styles.outputFiles]
  const [main, loaded] = mainOf(scripts.metafile)
  const page = pageOf({ main, loaded, style: basename(styles.outputFiles[0].path) })
  return {
    'console/index.html': Buffer.from(page),
    ...Object.fromEntries(
      files.map(({ path, contents }) => [`console/assets/${basename(path)}`, Buffer.from(contents)]),
    ),
  }
}

/** Those of the frame first, as the main script names them: the views' build on them. */
function stylesOf({ inputs }) {
  const first = inputs[MAIN].imports.map(({ path }) => path).filter(isStyle)
  return [...new Set([...first, ...Object.keys(inputs).filter(isStyle).sort()])].map(path => `./${path}`)
}

const isStyle = path => path.endsWith('.css')

/** The main script, and those that it cannot begin without. */
function mainOf({ outputs }) {
  const [path, { imports }] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === MAIN)
  return [basename(path), imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))]
}

function pageOf({ main, loaded, style }) {
  const links = [
    `<link rel="stylesheet" href="${ASSETS}/${style}">`,
    ...loaded.map(name => `<link rel="modulepreload" href="${ASSETS}/${name}">`),
  ]
  return readFileSync('console/index.html', 'utf8')
    .replace('</head>', () => `${links.join('\n')}\n</head>`)
    .replace(`src="/${MAIN}"`, () => `src="${ASSETS}/${main}"`)
}
