/** What a clock on a wall shows, and where it hangs. */
export interface WallClock {
  /** The date and the time of day, read as UTC. */
  readonly local: Date;
  readonly offsetSeconds: number;
  /** `UTC`, `CET`; empty when the zone has no name. */
  readonly zone: string;
}

const SECOND_MS = 1000;

/** What a clock shows at an instant, so many seconds east of UTC. */
export const wallClock = (ms: number, offsetSeconds: number, zone: string): WallClock => ({
  local: new Date(ms + offsetSeconds * SECOND_MS),
  offsetSeconds,
  zone,
});
