/** Returns a time in milliseconds since the epoch as RFC 3339 text in UTC. */
export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();
