import { isName, redirectsTrust, type SecretFiles } from '@gateway/client-config';
import type { NamedValue } from '../format/input-schema.ts';
import type { Answers } from '../inputs/resolve-input.ts';
import { resolveSetting } from '../inputs/resolve-setting.ts';
import { hasSecret, isAnswered, valueText } from '../inputs/resolved-value.ts';
import { namedSetting } from '../inputs/setting.ts';
import type { InstallProblem } from '../problems/install-problem.ts';

/** A variable or header whose value is in a file. */
interface SecretReference {
  readonly name: string;
  readonly secretKeyRef: { readonly name: string; readonly key: string };
}

/** The variables or headers of a server. */
export interface RenderedValues {
  readonly plain: readonly (readonly [name: string, value: string])[];
  readonly references: readonly SecretReference[];
  readonly problems: readonly InstallProblem[];
}

/** The dependencies of the rendering of values. */
export interface RenderingContext {
  readonly server: string;
  readonly answers: Answers;
  readonly files: SecretFiles;
}

/** Returns variables or headers with the values that a person gave. Optional ones without a value are left out; secrets become files. */
export const renderNamedValues = (
  noun: 'variable' | 'header',
  list: readonly NamedValue[],
  { server, answers, files }: RenderingContext,
): RenderedValues => {
  const plain: (readonly [string, string])[] = [];
  const references: SecretReference[] = [];
  const problems: InstallProblem[] = [];
  for (const input of list) {
    const { name } = input;
    const resolved = resolveSetting(namedSetting(noun, input), answers);
    problems.push(...resolved.problems);
    const value = resolved.values[0];
    if (value === undefined) continue;
    if (!isName(noun === 'variable' ? 'env' : 'headers', name))
      problems.push({ code: 'wrong-name', noun, name });
    if (noun === 'variable' && redirectsTrust(name) && !isAnswered(value))
      problems.push({ code: 'risk', risk: 'environment', part: name });
    const text = valueText(value);
    if (hasSecret(value))
      references.push({ name, secretKeyRef: { name: server, key: files.add(name, text) } });
    else plain.push([name, text]);
  }
  return { plain, references, problems };
};

/** Returns the fields of variables or headers in the `spec` of a server. */
export const valueFields = (
  key: 'env' | 'headers',
  { plain, references }: Pick<RenderedValues, 'plain' | 'references'>,
): Readonly<Record<string, unknown>> => ({
  ...(plain.length > 0 && { [key]: Object.fromEntries(plain) }),
  ...(references.length > 0 && { [`${key}From`]: references }),
});
