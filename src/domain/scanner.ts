/** What an engine says of some bytes. It never says `clean` of what it could not look at whole: then it throws. */
export interface Verdict {
  outcome: 'clean' | 'infected'
  /** The engine and what it knows, for example `YARA-X 1.20, built-in rules` or `ClamAV 1.0.7/27000`. */
  engine: string
  /** The name of what was found. */
  finding: string | null
}

export interface Scanner {
  scan(bytes: Buffer, name: string): Promise<Verdict>
  close(): Promise<void>
}
