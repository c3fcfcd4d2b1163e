/** Sentences of agent-manager that name its arguments and operations, and what they mean for a person at the form. */
const SENTENCES: readonly (readonly [sentence: RegExp, plain: string])[] = [
  [/^name is required$/, 'Enter a name.'],
  [/^modelConfig is required$/, 'Choose a model configuration.'],
  [
    /^name .* must be a DNS-1123 label: [^"]*$/s,
    'A name has lower case letters, digits and hyphens. It begins and ends with a letter or a digit.',
  ],
  [
    /^HelmRelease (\S+) already exists \(use update_agent\)$/,
    'The agent $1 exists already. Choose another name, or edit that agent.',
  ],
];

/** Returns a sentence of agent-manager in the words of the form; as it is when it names no argument or operation. */
export const toPlainSentence = (sentence: string): string => {
  const found = SENTENCES.find(([pattern]) => pattern.test(sentence));
  return found === undefined ? sentence : sentence.replace(...found);
};

/** The sentences of agent-manager by the field of the form that they are about, and those about none. */
export interface FieldProblems {
  readonly find: (field: string) => string | undefined;
  readonly others: readonly string[];
}

/** A form whose arguments agent-manager has checked. */
interface FormCheck {
  /** The names of its fields. */
  readonly fields: readonly string[];
  /** The name is that of a new agent. */
  readonly isNew: boolean;
  /** Returns whether a field has the value that was checked. */
  readonly isChecked: (field: string) => boolean;
}

const WORD = /^[A-Za-z]+/;
/** Objects with the name of a new agent that exist already. */
const EXISTING: ReadonlySet<string> = new Set(['HelmRelease', 'Agent']);
/** The values of a release by the schema of its chart: `/agent/iconUrl: …`, `/modelConfig/name: …`. */
const VALUE = /\/(?:agent\/(\w+)|(modelConfig|skills|toolset)\b[^:]*): /g;

/** Returns the fields that a sentence is about. */
const findFields = (sentence: string, isNew: boolean): readonly string[] => {
  const first = WORD.exec(sentence)?.[0] ?? '';
  if (isNew && EXISTING.has(first)) return ['name'];
  if (first !== 'values') return [first];
  return [...sentence.matchAll(VALUE)].flatMap(([, ofAgent, other]) => ofAgent ?? other ?? []);
};

/** Sorts the errors of a validation to the fields of a form, in its words. A field that was changed meanwhile has no problem until it is checked. */
export const sortProblems = (
  errors: readonly string[],
  { fields, isNew, isChecked }: FormCheck,
): FieldProblems => {
  const problems = new Map<string, string>();
  const others: string[] = [];
  for (const error of errors) {
    const concerned = findFields(error, isNew).filter((field) => fields.includes(field));
    if (concerned.length === 0) others.push(error);
    for (const field of concerned)
      if (!problems.has(field)) problems.set(field, toPlainSentence(error));
  }
  return { find: (field) => (isChecked(field) ? problems.get(field) : undefined), others };
};
