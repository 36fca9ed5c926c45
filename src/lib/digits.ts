/** Arabic-Indic (٠-٩) and Persian (۰-۹) digits as 0-9; everything else as it is. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, digit => String((digit.codePointAt(0) as number) & 0xf))
}
