import type { OperationDraft } from '@gateway/agent-manager-client';
import { defined, textOf, unlessEmpty } from '../values/lenient.ts';

type Skills = NonNullable<OperationDraft<'update_agent'>['skills']>;
type GitRef = NonNullable<Skills['gitRefs']>[number];

const lastSegment = (path: string): string | undefined =>
  path
    .split(/[/\\]/u)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .at(-1);

/** Returns the name of a repository: `skills` for both `https://host/group/skills.git` and `git@host:group/skills.git`. */
const repositoryName = (url: string): string | undefined => {
  const [address = ''] = url.split(/[?#]/u);
  return lastSegment(address.replace(/^[a-z+]+:\/\/[^/]*/u, '').replaceAll(':', '/'))?.replace(
    /\.git$/u,
    '',
  );
};

const gitRefValue = ({ url, path, ref, name }: GitRef): object =>
  defined({
    url,
    path: textOf(path),
    ref: textOf(ref),
    name: textOf(name) ?? textOf(lastSegment(path ?? '')) ?? textOf(repositoryName(url)),
  });

/** Returns the value of skills in the chart; `undefined` when there are none. */
export const skillsValue = (skills: Skills): object | undefined => {
  const secret = textOf(skills.gitAuthSecretName);
  const value = defined({
    refs: unlessEmpty((skills.refs ?? []).filter((ref) => textOf(ref) !== undefined)),
    gitRefs: unlessEmpty((skills.gitRefs ?? []).map(gitRefValue)),
    gitAuthSecretRef: secret === undefined ? undefined : { name: secret },
  });
  return Object.keys(value).length === 0 ? undefined : value;
};
