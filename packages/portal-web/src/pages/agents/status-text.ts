import type { AgentStatus } from '@gateway/agent-manager-client';

type Verdict = Pick<AgentStatus, 'verdict' | 'helmRelease' | 'agent'>;

/** No part of the release was installed, or it is not known whether. */
const isUntouched = ({ helmRelease: { ready, conditions }, agent }: Verdict): boolean =>
  ready === null && conditions.length === 0 && !agent.exists;

/** Returns what a verdict means and what happens next; `undefined` for one that needs no explanation. */
export const statusText = (status: Verdict): string | undefined => {
  if (status.helmRelease.deleting) return undefined;
  if (status.verdict === 'unknown')
    return 'Unknown: nothing reports whether the agent runs. Its parts below show what there is of it in the cluster.';
  if (status.verdict !== 'progressing') return undefined;
  return isUntouched(status)
    ? 'Progressing: the release is stored, and Flux in the cluster has not installed it yet. That takes a minute or two; until then the state of the agent is Unknown. Where agent-manager stores releases in files, as in the example, there is no cluster and no Flux: nothing installs the agent, and this does not end.'
    : 'Progressing: Flux in the cluster installs the release, and the agent is ready when its pods run.';
};
