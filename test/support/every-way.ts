/** Where a generator makes its choices. */
export interface Chooser {
  one<T>(of: readonly T[]): T
  /** True once in so many times. */
  in(times: number): boolean
}

interface Choice {
  options: number
  /** Whether something is there at all, or is otherwise than it mostly is. */
  isOptional: boolean
}

/** Which option is taken, by the number of the choice. The first one where nothing is said. */
type Plan = Map<number, number>

/**
 * Everything that a generator makes when it takes each option of each choice once, by itself and together with each of the things
 * that it mostly leaves out. So every place that it fills has every value in it once.
 */
export function everyWay<T>(make: (choose: Chooser) => T): T[] {
  const made = new Map<string, T>()

  function follow(plan: Plan): Choice[] {
    const choices: Choice[] = []
    const taken = (options: number, isOptional: boolean) => plan.get(choices.push({ options, isOptional }) - 1) ?? 0
    const one = make({ one: of => of[taken(of.length, false)] as never, in: () => taken(2, true) === 1 })
    made.set(JSON.stringify(one), one)
    return choices
  }

  function takeEach(plan: Plan, choices: Choice[]): void {
    for (const [n, { options, isOptional }] of choices.entries())
      for (let option = 1; option < options && !isOptional; option++) follow(new Map([...plan, [n, option]]))
  }

  const first = follow(new Map())
  takeEach(new Map(), first)
  for (const [n, { isOptional }] of first.entries()) {
    const plan: Plan = new Map([[n, 1]])
    if (isOptional) takeEach(plan, follow(plan))
  }
  return [...made.values()]
}
