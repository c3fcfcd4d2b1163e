/** The minimum and maximum number of arguments; no maximum when it is undefined. A piped value counts. */
export type FunctionArity = readonly [min: number, max: number | undefined];

/** The names in a text with spaces between them. */
type SplitNames<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | SplitNames<Rest>
  : Text;

/** Returns the arities of functions that take the same number of arguments. */
const listArities = <const Names extends string>(
  min: number,
  max: number | undefined,
  ...lines: readonly Names[]
): Readonly<Record<SplitNames<Names>, FunctionArity>> => {
  const arity: FunctionArity = [min, max];
  const names = lines.flatMap((line) => line.split(' ')) as SplitNames<Names>[];
  return Object.fromEntries(names.map((name) => [name, arity])) as Readonly<
    Record<SplitNames<Names>, FunctionArity>
  >;
};

/**
 * Every function that a template may call, with its number of arguments: those of Go's `text/template` without `call`, because no
 * value here can be called, and those of Sprig. Look a name up with {@link findFunctionArity}, never by index: names come from
 * users.
 *
 * @spec §2.7
 */
export const TEMPLATE_FUNCTIONS = {
  ...listArities(0, 0, 'hello now'),
  ...listArities(
    1,
    1,
    'add1 add1f adler32sum ago atoi b32dec b32enc b64dec b64enc base camelcase ceil clean',
    'compact deepCopy dir duration durationRound empty ext fail first float64 floor fromJson',
    'htmlDate initial initials int int64 isAbs kebabcase kindOf last len lower mustCompact',
    'mustDeepCopy mustFirst mustFromJson mustInitial mustLast mustRest mustReverse mustToJson',
    'mustToPrettyJson mustToRawJson mustUniq nospace not osBase osClean osDir osExt osIsAbs',
    'regexQuoteMeta rest reverse semver sha1sum sha256sum sha512sum snakecase sortAlpha',
    'swapcase title toDecimal toJson toPrettyJson toRawJson toString toStrings trim typeOf',
    'uniq unixEpoch until untitle upper urlJoin urlParse values',
  ),
  ...listArities(1, 3, 'mustSlice'),
  ...listArities(1, 4, 'slice'),
  ...listArities(
    2,
    2,
    'abbrev append chunk contains date date_modify dateModify deepEqual div ge get gt has',
    'hasKey hasPrefix hasSuffix htmlDateInZone indent join kindIs le lt mod must_date_modify',
    'mustAppend mustChunk mustDateModify mustHas mustPrepend mustPush mustRegexFind',
    'mustRegexMatch mustToDate ne nindent prepend push regexFind regexMatch repeat',
    'semverCompare split splitList sub toDate trimAll trimall trimPrefix trimSuffix trunc',
    'typeIs typeIsLike unset wrap',
  ),
  ...listArities(2, 3, 'round'),
  ...listArities(
    3,
    3,
    'abbrevboth date_in_zone dateInZone mustRegexFindAll mustRegexReplaceAll',
    'mustRegexReplaceAllLiteral mustRegexSplit plural regexFindAll regexReplaceAll',
    'regexReplaceAllLiteral regexSplit replace set splitn substr ternary untilStep wrapWith',
  ),
  ...listArities(
    0,
    undefined,
    'add addf all any cat coalesce concat dict html js keys list print println quote seq',
    'squote tuple urlquery',
  ),
  ...listArities(
    1,
    undefined,
    'and biggest default divf index max maxf merge mergeOverwrite min minf mul mulf mustMerge',
    'mustMergeOverwrite mustWithout omit or pick pluck printf subf without',
  ),
  ...listArities(2, undefined, 'eq'),
  ...listArities(3, undefined, 'dig'),
} as const satisfies Record<string, FunctionArity>;

export type TemplateFunctionName = keyof typeof TEMPLATE_FUNCTIONS;

/** Returns whether a template function has this name. Ignores inherited names such as `constructor`. */
export const isTemplateFunctionName = (name: string): name is TemplateFunctionName =>
  Object.hasOwn(TEMPLATE_FUNCTIONS, name);

/** Returns the number of arguments of a function; undefined when there is no function with this name. */
export const findFunctionArity = (name: string): FunctionArity | undefined =>
  isTemplateFunctionName(name) ? TEMPLATE_FUNCTIONS[name] : undefined;
