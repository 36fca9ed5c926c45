/** A name under which only so many places may be held at the same time. */
export interface Bound {
  name: string
  most: number
}

/** Places that all nodes hold together. */
export interface SharedPlaces {
  /** Holds a place under each of these names, or none: then it says which of them has no place left. */
  hold(bounds: Bound[]): Promise<Hold>
}

type Hold = { full: Bound } | { full?: undefined; giveBack(): void }

/** For a node that knows of no other: what it counts by itself is all there is. */
export const ALONE: SharedPlaces = { hold: async () => ({ giveBack() {} }) }
