/** A time in milliseconds since the epoch as answers print it (RFC 3339, UTC). */
export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();
