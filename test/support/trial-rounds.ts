/** How often a trial does what it does: so often, or as many times more as TRIAL_FACTOR says. */
export function trialRounds(count: number): number {
  const factor = Number(process.env.TRIAL_FACTOR ?? 1)
  if (!(factor > 0)) throw new Error('TRIAL_FACTOR must be a number above 0')
  return Math.max(1, Math.round(count * factor))
}
