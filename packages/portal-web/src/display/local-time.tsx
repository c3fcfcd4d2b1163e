import type { ReactNode } from 'react';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/**
 * A time in the zone and the language of the reader.
 *
 * @param at RFC 3339; any other text is shown as it is
 */
export const LocalTime = ({ at }: { readonly at: string }): ReactNode => {
  const time = Date.parse(at);
  return Number.isNaN(time) ? (
    <bdi>{at}</bdi>
  ) : (
    <time dateTime={at} title={at}>
      {FORMAT.format(time)}
    </time>
  );
};
