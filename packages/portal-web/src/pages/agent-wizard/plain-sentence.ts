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
export const plainSentence = (sentence: string): string => {
  const found = SENTENCES.find(([pattern]) => pattern.test(sentence));
  return found === undefined ? sentence : sentence.replace(...found);
};
