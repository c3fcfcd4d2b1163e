import type { AgentStatus } from '@gateway/agent-manager-client';
import { conditionsOf, holds } from '../read/conditions.ts';
import type { AgentResource, HelmRelease, ObjectName, Workload } from '../store/objects.ts';
import { eventReports } from './event-reports.ts';
import { releaseReport } from './release-report.ts';
import { verdictOf } from './verdict.ts';
import { deploymentReport, podReports } from './workload-report.ts';

/** The objects in the store or cluster that belong to one agent; `undefined` where an object does not exist. */
export interface StatusObjects {
  readonly release: HelmRelease | undefined;
  readonly agent: AgentResource | undefined;
  readonly workload: Workload;
}

const agentReport = (agent: AgentResource | undefined): AgentStatus['agent'] => {
  const conditions = conditionsOf(agent);
  return {
    exists: agent !== undefined,
    ready: holds(conditions, 'Ready'),
    accepted: holds(conditions, 'Accepted'),
    conditions: [...conditions],
  };
};

/**
 * Returns the answer of `get_agent_status` for these objects. Does not throw, even for objects of an unexpected shape, because
 * other programs also write them.
 *
 * @spec §4.4
 */
export const agentStatus = (
  { namespace, name }: ObjectName,
  { release, agent, workload }: StatusObjects,
): AgentStatus => {
  const blocks = {
    agent: agentReport(agent),
    helmRelease: releaseReport(release),
    deployment: deploymentReport(workload.deployment),
    pods: podReports(workload.pods),
    events: eventReports(workload.events),
  };
  return { name, namespace, ...verdictOf(blocks), ...blocks };
};
