/** A width or precision that a value gives. */
export interface AmountFromValue {
  /** The value that `[n]` names, counted from 1. */
  readonly argument: number | undefined;
}

/** A verb with its flags, width and precision. */
export interface FormatVerb {
  readonly verb: string;
  readonly flags: string;
  readonly width: number | AmountFromValue | undefined;
  readonly precision: number | AmountFromValue | undefined;
  /** The value that `[n]` names, counted from 1. */
  readonly argument: number | undefined;
}

/** A format in pieces: texts as they are, and verbs. */
export type FormatPiece = string | FormatVerb;

const PIECE =
  /%([-+# 0]*)((?:\[\d{1,4}\])?\*|\d{1,7})?(?:\.((?:\[\d{1,4}\])?\*|\d{0,7}))?(?:\[(\d{1,4})\])?([^\d*[\].]|$)|[^%]+|%/gsu;

const amount = (text: string | undefined): number | AmountFromValue | undefined => {
  if (text === undefined) return undefined;
  if (!text.endsWith('*')) return Number(text);
  return { argument: text === '*' ? undefined : Number(text.slice(1, -2)) };
};

/** Cuts a format into its pieces; nothing when a verb is unfinished. */
export const parseFormat = (format: string): readonly FormatPiece[] | undefined => {
  const pieces: FormatPiece[] = [];
  for (const [all, flags, width, precision, argument, verb] of format.matchAll(PIECE)) {
    if (flags === undefined && all !== '%') {
      pieces.push(all);
      continue;
    }
    if (verb === undefined || verb === '') return undefined;
    pieces.push({
      verb,
      flags: flags ?? '',
      width: amount(width),
      precision: amount(precision),
      argument: argument === undefined ? undefined : Number(argument),
    });
  }
  return pieces;
};
