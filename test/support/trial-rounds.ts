/** How many rounds a trial runs: `count`, multiplied by TRIAL_FACTOR if that is set. */
export function trialRounds(count: number): number {
  const factor = Number(process.env.TRIAL_FACTOR ?? 1)
  if (!(factor > 0)) throw new Error('TRIAL_FACTOR must be a number above 0')
  return Math.max(1, Math.round(count * factor))
}
