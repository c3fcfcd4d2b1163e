/** A decimal number: `digits` divided by a power of ten. Sums and products are exact. */
export interface Decimal {
  readonly digits: bigint;
  /** The number of digits after the decimal point; negative for trailing zeros. */
  readonly scale: number;
}

/** Digits behind the point of a quotient. */
const QUOTIENT_SCALE = 16;

const pow10 = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Returns the shortest decimal that represents this number. */
export const decimalOf = (value: number): Decimal => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [before = '0', behind = ''] = mantissa.split('.');
  return { digits: BigInt(before + behind), scale: behind.length - Number(exponent) };
};

/** Returns the number that is nearest to a decimal. */
export const numberOf = ({ digits, scale }: Decimal): number => Number(`${digits}e${-scale}`);

const scaledTo = ({ digits, scale }: Decimal, wanted: number): bigint =>
  digits * pow10(wanted - scale);

/** Returns the exact sum. */
export const sum = (left: Decimal, right: Decimal): Decimal => {
  const scale = Math.max(left.scale, right.scale);
  return { digits: scaledTo(left, scale) + scaledTo(right, scale), scale };
};

/** Returns the exact difference. */
export const difference = (left: Decimal, right: Decimal): Decimal =>
  sum(left, { digits: -right.digits, scale: right.scale });

/** Returns the exact product. */
export const product = (left: Decimal, right: Decimal): Decimal => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
});

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Returns the quotient with sixteen digits behind the point, rounded half away from zero. The divisor is not zero. */
export const quotient = (left: Decimal, right: Decimal): Decimal => {
  const shift = QUOTIENT_SCALE - left.scale + right.scale;
  const upper = shift >= 0 ? left.digits * pow10(shift) : left.digits;
  const lower = shift >= 0 ? right.digits : right.digits * pow10(-shift);
  const rest = upper % lower;
  const away = magnitude(rest) * 2n >= magnitude(lower) ? 1n : 0n;
  const negative = upper < 0n !== lower < 0n;
  return { digits: upper / lower + (negative ? -away : away), scale: QUOTIENT_SCALE };
};
