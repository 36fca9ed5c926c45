/** An address that people wrote. It is a link only where it leads to a web page; nothing is told there about where one came from. */
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
