import { FunctionFailure } from '../../values/template-value.ts';

/** More digits than a number has on either side of the point. */
const MAX_PLACES = 300;

/**
 * Rounds a number to a number of decimal places; a negative number of places rounds before the point. A remainder of at least
 * `up` rounds away from zero.
 */
export const rounded = (value: number, places: number, up: number): number | FunctionFailure => {
  if (Math.abs(places) > MAX_PLACES)
    return new FunctionFailure(`cannot round to ${places} places: at most ${MAX_PLACES}`);
  const power = 10 ** places;
  const moved = Math.abs(value) * power;
  const below = Math.floor(moved);
  const whole = moved - below >= up ? below + 1 : below;
  const result = (Math.sign(value) * whole) / power;
  // The number has fewer places than this.
  return Number.isFinite(result) ? result + 0 : value;
};
