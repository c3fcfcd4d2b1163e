import { openFor } from '../open-requirement.ts';

/** The requirements on a portal: what it shows of agents and their toolsets. */
export const agentManagerRequirements = openFor('portal-ui', {
  '9.2/portal-tools-step':
    'The developer portal 0.239.0 brings the Tools step in the agent creation wizard.',
});
