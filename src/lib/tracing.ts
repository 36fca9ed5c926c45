/** Never anything that a person wrote, and no secret: identifiers, kinds and codes. */
export type Attributes = Record<string, string | number | undefined>

export interface SpanFacts {
  name: string
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes
}

/** A piece of work in a trace, while it lasts. */
export interface Span {
  traceId: string
  set(attributes: Attributes): void
  /** Of an error only its kind is told: its message may quote what a person wrote. */
  fail(error: unknown): void
  end(): void
}

export interface Tracer {
  /** Begins a trace, or goes on with the caller's (W3C `traceparent`); `isWithin` makes it a part of the current span. */
  begin(facts: SpanFacts, caller: { traceparent?: string | undefined; isWithin: boolean }): Span
  /** What is called from here on is part of the span. */
  run<T>(span: Span, work: () => T): T
  /** Work as a part of the current span. Without one, it is only done. */
  within<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T>
  /** Work that follows from a span of which only the `traceparent` is left. Without one, it is only done. */
  following<T>(traceparent: string | null | undefined, facts: SpanFacts, work: (span?: Span) => Promise<T>): Promise<T>
  /** The same function, as a part of the span that is current now, whoever calls it. */
  bound<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T
  /** Of the current span, if it is recorded: what follows from it is recorded only then. */
  traceparent(): string | undefined
  traceId(): string | undefined
  /** How many spans were lost because the collector did not take them. */
  dropped(): number
  close(): Promise<void>
}

/** Where spans are told. Undefined unless traces are switched on, and then this check is all that they cost. */
export let tracer: Tracer | undefined

export function traceWith(given: Tracer | undefined): void {
  tracer = given
}
