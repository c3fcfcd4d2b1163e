import { openFor } from '../open-requirement.ts';

/** The requirements on a portal: what it shows of agents and their toolsets. */
export const agentManagerRequirements = openFor('agent-manager-client', {
  '9.2/portal-0.239.0':
    'The developer portal 0.239.0 brings the Tools step of the wizard, toolset in the composed release and the Toolset card.',
});
