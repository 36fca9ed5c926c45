/** A URL that people wrote. It is a link only if it leads to a web page, which is not told where the reader came from. */
export function OutsideLink({ to }: { to: string }) {
  const text = (
    <code dir="ltr" class="code">
      {to}
    </code>
  )
  if (!/^https?:\/\//i.test(to)) return text
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
