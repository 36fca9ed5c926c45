const SWITCH = 'single-keys'

/** Single keys can be switched off, because people who dictate would press them by speaking. */
export function areKeysOn(): boolean {
  return localStorage.getItem(SWITCH) !== 'off'
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off')
}

/** Not while somebody is writing, in a dialog, or with a key that makes it the browser's. */
export function isMeant({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || !areKeysOn()) return false
  const isWriting = target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select')
  return !isWriting && !document.querySelector('dialog[open]')
}
