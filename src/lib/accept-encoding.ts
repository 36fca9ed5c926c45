/** Longer headers are not read to their end: no client knows that many encodings. */
const LONGEST_HEADER = 1_000

/**
 * The encoding of ours that a client prefers (RFC 9110, 12.5.3), of two that it likes equally well the first. Undefined when it
 * accepts none, or likes the bytes as they are better.
 */
export function preferredEncoding<Encoding extends string>(
  header: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | undefined {
  const weights = weightsIn((header ?? '').toString().slice(0, LONGEST_HEADER).toLowerCase())
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  let [preferred, most]: [Encoding | undefined, number] = [undefined, 0]
  for (const encoding of ours) if (weightOf(encoding) > most) [preferred, most] = [encoding, weightOf(encoding)]
  return most < (weights.get('identity') ?? 0) ? undefined : preferred
}

function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.split(',')) {
    const [encoding = '', ...parameters] = member.split(';').map(part => part.trim())
    const [, weight = '1'] = parameters.join(';').match(/^q=([\d.]{1,5})$/) ?? []
    weights.set(encoding, Number(weight) || 0)
  }
  return weights
}
