/** The look of a document, as Typst functions that the translated markdown calls. */
export const TYPST_TEMPLATE = `#let grey = luma(200)

#let in-font(name, body) = text(font: name, body)

// The font has a plain point for Latin script only.
#let point = text(script: "latn", ".")

#let start-of(dir) = if dir == rtl { right } else { left }
#let side-of(dir) = if dir == rtl { "right" } else { "left" }
// Kerning tears Arabic words apart for those who search them in the PDF.
#let script-of(dir) = (dir: dir) + if dir == rtl {
  (lang: "ar", font: "Amiri", features: (kern: 0))
} else {
  (lang: "en", font: "Noto Sans", features: (:))
}

// Arabic letters reach higher and lower than Latin ones and want more room between lines.
#let leading-of(dir) = if dir == rtl { 1.1em } else { 0.7em }
#let spacing-of(dir) = if dir == rtl { 1.7em } else { 1.2em }

// A paragraph in its own direction on the side that its surroundings chose, as in a list or a table.
#let line-of(dir, body) = {
  set text(..script-of(dir))
  set par(leading: leading-of(dir))
  par(body)
}

#let paragraph(dir, body) = {
  set align(start-of(dir))
  set par(spacing: spacing-of(dir))
  line-of(dir, body)
}

#let titled(level, dir, body) = {
  set align(start-of(dir))
  set text(..script-of(dir))
  set par(leading: leading-of(dir) * 0.8)
  heading(level: level, body)
}

#let inline-code(body) = highlight(fill: luma(240), extent: 1.5pt, text(font: "Noto Sans Mono", size: 0.88em, dir: ltr, body))

#let hyperlink(address, body) = link(address, text(fill: rgb("#0b57a4"), body))

#let code-block(short, ..pieces) = {
  set align(left)
  set text(..script-of(ltr), font: "Noto Sans Mono", size: 9pt)
  set par(leading: 0.6em, spacing: 0.6em)
  block(breakable: not short, fill: luma(245), inset: 8pt, radius: 3pt, width: 100%, {
    for piece in pieces.pos() { par(piece) }
  })
}

#let ruler = line(length: 100%, stroke: 0.6pt + grey)

#let quoted(dir, body) = {
  set align(start-of(dir))
  set par(spacing: spacing-of(dir))
  block(
    width: 100%,
    inset: ((side-of(dir)): 12pt, y: 2pt),
    stroke: ((side-of(dir)): 2.5pt + grey),
    text(fill: luma(80), body),
  )
}

#let bullet(level) = in-font("Noto Sans", if calc.odd(level) { "•" } else { "–" })

#let checkbox(done) = in-font("Noto Sans Symbols 2", if done { "☑" } else { "☐" })

// Markers and bodies alternate.
#let listed(dir, tight, ..cells) = {
  let start = start-of(dir)
  let gap = if tight { leading-of(dir) } else { spacing-of(dir) }
  set align(start)
  set text(..script-of(dir))
  block(inset: ((side-of(dir)): 0.4em), {
    set par(leading: leading-of(dir), spacing: gap)
    set block(spacing: gap)
    grid(columns: (auto, 1fr), column-gutter: 0.55em, row-gutter: gap, align: (start.inv(), start), ..cells)
  })
}

#let tabulated(dir, aligns, ..cells) = {
  let (count, cells) = (aligns.len(), cells.pos())
  set text(..script-of(dir), size: if count > 12 { 7pt } else if count > 7 { 8.5pt } else { 10pt })
  set align(start-of(dir))
  set par(leading: leading-of(dir))
  show table.cell.where(y: 0): set text(weight: "bold")
  table(
    columns: count,
    align: aligns.map(it => if it == auto { start-of(dir) } else { it }),
    stroke: 0.5pt + grey,
    inset: (x: if count > 7 { 3pt } else { 6pt }, y: 6pt),
    fill: (_, y) => if y == 0 { luma(245) },
    table.header(..cells.slice(0, count)),
    ..cells.slice(count),
  )
}

// The label tells the entry at the foot of the page its direction.
#let note(number, dir, body) = [#footnote(numbering: _ => number, body)#label(if dir == rtl { "rtl" } else { "ltr" })]

#let footnote-entry(it) = {
  let dir = if it.note.label == <rtl> { rtl } else { ltr }
  listed(dir, true, super((it.note.numbering)(0)), it.note.body)
}

// Notes to which only other notes refer.
#let endnote(number, dir, body) = text(size: 0.85em, listed(dir, true, super(number), body))

#let document-of(title, dir, body) = {
  set document(title: title, date: none)
  set page(
    paper: "a4",
    margin: (x: 2.3cm, top: 2.3cm, bottom: 2.5cm),
    footer: context align(center, text(size: 9pt, fill: luma(110), counter(page).display("1"))),
  )
  // The same height for every font keeps what stands side by side on one line.
  set text(..script-of(dir), size: 11pt, top-edge: 0.72em, fallback: false, hyphenate: false)
  set par(spacing: spacing-of(dir))
  set block(spacing: spacing-of(dir))
  show heading: set text(weight: "bold")
  show heading: set block(above: 1.5em, below: 0.9em)
  show heading.where(level: 1): set text(size: 20pt)
  show heading.where(level: 2): set text(size: 16pt)
  show heading.where(level: 3): set text(size: 13.5pt)
  show heading.where(level: 4): set text(size: 12pt)
  show heading.where(level: 5): set text(size: 11pt)
  show heading.where(level: 6): set text(size: 11pt, fill: luma(90))
  show footnote.entry: footnote-entry
  body
}
`
