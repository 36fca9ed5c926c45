import { ARABIC_LABELS, ARABIC_PATTERNS } from './arabic-labels.ts'

/** Code runs from left to right wherever it is, and so do names, values and addresses. The arrow is that of a closed group. */
export const ARABIC_STYLE = `
.scalar-app { --scalar-font: system-ui, "Noto Sans Arabic", sans-serif }
.scalar-app :is(pre, code, kbd, .whitespace-pre, .scalar-code-block, .cm-editor, .scalar-address-bar, .endpoints, [role=option] .inline-flex) { direction: ltr; unicode-bidi: isolate }
.scalar-app :is(pre, .cm-editor) { text-align: left }
.scalar-app :is(input, .endpoint-path, .operation-path, .property-name, .property-detail-value, .property-enum-value-label) {
  unicode-bidi: plaintext;
}
.scalar-app :is(:not(.rotate-90) > svg:has(path[d^="M184.49,136.49l-80,80"]), [aria-expanded=false] > svg:has([d="m9 18 6-6-6-6"])) {
  scale: -1 1;
}
`

/** Scalar's styles say left and right. As start and end they mirror the page, and what runs from left to right stays as it is. */
export const MIRROR_SCRIPT = `
const logical = {
  left: 'inset-inline-start',
  right: 'inset-inline-end',
  'border-top-left-radius': 'border-start-start-radius',
  'border-top-right-radius': 'border-start-end-radius',
  'border-bottom-left-radius': 'border-end-start-radius',
  'border-bottom-right-radius': 'border-end-end-radius',
}
for (const [side, end] of [['left', 'start'], ['right', 'end']]) {
  for (const box of ['margin', 'padding']) logical[box + '-' + side] = box + '-inline-' + end
  for (const part of ['width', 'style', 'color']) logical['border-' + side + '-' + part] = 'border-inline-' + end + '-' + part
}
function makeLogical({ style, cssRules }) {
  for (const [name, other] of Object.entries(style ? logical : {})) {
    const value = style.getPropertyValue(name)
    // What is in the middle is so from either side.
    if (!value || value === '50%') continue
    style.setProperty(other, value, style.getPropertyPriority(name))
    style.removeProperty(name)
  }
  if (style?.textAlign === 'left') style.textAlign = 'start'
  if (style?.textAlign === 'right') style.textAlign = 'end'
  for (const rule of cssRules ?? []) makeLogical(rule)
}
for (const sheet of document.styleSheets) makeLogical(sheet)
`

/** Scalar has English labels only: those that appear outside of code are replaced. */
export const LABELS_SCRIPT = `
const labels = ${JSON.stringify(ARABIC_LABELS)}
const patterns = ${JSON.stringify(ARABIC_PATTERNS)}.map(([label, arabic]) => [new RegExp(label), arabic])
const labelled = ['placeholder', 'aria-label', 'title']
function inArabic(text) {
  if (Object.hasOwn(labels, text)) return labels[text]
  const [pattern, arabic] = patterns.find(([pattern]) => pattern.test(text)) ?? []
  return pattern ? text.replace(pattern, arabic) : text
}
// Names have places where they may be broken. Of those, only the names of Scalar's own groups are labels.
const groups = ['Introduction', 'Webhooks', 'Models']
const isName = (node, text) => node.previousSibling?.nodeName === 'WBR' && !groups.includes(text)
const isCode = node => node.parentElement?.closest('pre, code, textarea, .cm-line:not(:has(.cm-placeholder))')
function relabelText(node) {
  const text = node.data.trim()
  const label = inArabic(text)
  if (label !== text && !isName(node, text) && !isCode(node)) node.data = node.data.replace(text, label)
}
function relabelElement(element) {
  for (const name of labelled) {
    const text = element.getAttribute(name)
    const label = text && inArabic(text)
    if (label !== text) element.setAttribute(name, label)
  }
}
function relabel(node) {
  if (node.nodeType === Node.TEXT_NODE) relabelText(node)
  if (node.nodeType === Node.ELEMENT_NODE) relabelElement(node)
  node.childNodes.forEach(relabel)
}
new MutationObserver(changes => {
  for (const { type, target, addedNodes } of changes) {
    if (type === 'attributes') relabelElement(target)
    else if (type === 'characterData') relabelText(target)
    else addedNodes.forEach(relabel)
  }
}).observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: labelled })
`
