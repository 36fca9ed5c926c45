let formatter: { zone: string; of: Intl.DateTimeFormat } | undefined

/** The day that it is now in a zone, as the server writes days. */
export function todayIn(zone: string): string {
  // To make one takes longer than to draw a row.
  if (formatter?.zone !== zone) formatter = { zone, of: new Intl.DateTimeFormat('en-CA', { timeZone: zone }) }
  return formatter.of.format()
}

/** So many days after a day. */
export function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
