// Every control character but tab, newline and carriage return.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** True for text that can be stored and given back as it is: no control characters, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text)
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
