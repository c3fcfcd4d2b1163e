import type { Agent } from '@gateway/agent-manager-client';
import { at, defined, listOf, textOf, textsOf, unlessEmpty } from '../values/lenient.ts';

type Skills = NonNullable<Agent['skills']>;
type GitRef = NonNullable<Skills['gitRefs']>[number];

const gitRefOf = (value: unknown): readonly GitRef[] => {
  const url = textOf(at(value, 'url'));
  if (url === undefined) return [];
  return [
    defined({
      url,
      path: textOf(at(value, 'path')),
      ref: textOf(at(value, 'ref')),
      name: textOf(at(value, 'name')),
    }),
  ];
};

/** Returns the skills in the values of the chart or in an Agent, which have the same form; undefined when there are none. */
export const skillsOf = (block: unknown): Skills | undefined => {
  const skills: Skills = defined({
    refs: unlessEmpty(textsOf(at(block, 'refs'))),
    gitRefs: unlessEmpty(listOf(at(block, 'gitRefs')).flatMap(gitRefOf)),
    gitAuthSecretName: textOf(at(block, 'gitAuthSecretRef', 'name')),
  });
  return Object.keys(skills).length === 0 ? undefined : skills;
};
