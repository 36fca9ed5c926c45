import { useState } from 'preact/hooks'
import { type Digits, storedDigits, writeWith } from '../words/digits.ts'

/** The digits of Arabic texts, as the reader has chosen. Choosing others renders everything again. */
export function useDigits(): [Digits, (digits: Digits) => void] {
  const [digits, setDigits] = useState(storedDigits)
  writeWith(digits)
  const choose = (chosen: Digits) => {
    localStorage.setItem('digits', chosen)
    setDigits(chosen)
  }
  return [digits, choose]
}
