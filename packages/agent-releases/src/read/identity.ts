import type { Agent } from '@gateway/agent-manager-client';
import type { AgentResource, Json } from '../store/objects.ts';
import { at, defined, mapOf, textOf } from '../values/lenient.ts';
import { skillsOf } from './skills.ts';

/** The identity of an agent, read from the values of its release or from its Agent resource. */
export type Identity = Pick<
  Agent,
  'displayName' | 'description' | 'modelConfig' | 'runtime' | 'iconUrl' | 'systemMessage' | 'skills'
>;

/** Returns the identity in the values of a release. */
export const identityOfValues = (values: Json): Identity =>
  defined({
    displayName: textOf(at(values, 'agent', 'displayName')),
    description: textOf(at(values, 'agent', 'description')),
    modelConfig: textOf(at(values, 'modelConfig', 'name')),
    runtime: textOf(at(values, 'agent', 'runtime')),
    iconUrl: textOf(at(values, 'agent', 'iconUrl')),
    systemMessage: textOf(at(values, 'agent', 'systemMessage')),
    skills: skillsOf(at(values, 'skills')),
  });

const DISPLAY_NAME_SUFFIX = '/display-name';

/** Returns the display name from the annotation `<label domain>/display-name`; the label domain is a value of the chart. */
const displayNameOf = (agent: AgentResource): string | undefined => {
  const annotations = mapOf(at(agent, 'metadata', 'annotations'));
  const key = Object.keys(annotations)
    .filter((name) => name.endsWith(DISPLAY_NAME_SUFFIX))
    .sort()[0];
  return key === undefined ? undefined : textOf(annotations[key]);
};

/** Returns the identity in an Agent resource. */
export const identityOfResource = (agent: AgentResource): Identity =>
  defined({
    displayName: displayNameOf(agent),
    description: textOf(at(agent, 'spec', 'description')),
    modelConfig: textOf(at(agent, 'spec', 'declarative', 'modelConfig')),
    runtime: textOf(at(agent, 'spec', 'declarative', 'runtime')),
    iconUrl: textOf(at(agent, 'spec', 'iconUrl')),
    systemMessage: textOf(at(agent, 'spec', 'declarative', 'systemMessage')),
    skills: skillsOf(at(agent, 'spec', 'skills')),
  });
