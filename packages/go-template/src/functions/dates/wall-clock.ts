/** A local date and time with its zone. */
export interface WallClock {
  /** The date and the time of day, read as UTC. */
  readonly local: Date;
  readonly offsetSeconds: number;
  /** The abbreviation of the zone: `UTC`, `CET`, or its offset where it has none: `-03`. */
  readonly zone: () => string;
}
