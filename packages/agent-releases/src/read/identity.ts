import type { Agent } from '@gateway/agent-manager-client';
import type { AgentResource, Json } from '../store/objects.ts';
import { at, defined, mapOf, textOf } from '../values/lenient.ts';
import { skillsOf } from './skills.ts';

/** The identity of an agent, from its values or from the Agent. */
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

const DISPLAY_NAME = '/display-name';

/** Returns the display name, whose annotation has the domain of the labels of the platform. */
const displayNameOf = (agent: AgentResource): string | undefined => {
  const annotations = mapOf(at(agent, 'metadata', 'annotations'));
  const key = Object.keys(annotations)
    .filter((name) => name.endsWith(DISPLAY_NAME))
    .sort()[0];
  return key === undefined ? undefined : textOf(annotations[key]);
};

/** Returns the identity in the Agent. */
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
