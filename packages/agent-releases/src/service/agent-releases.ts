import type { Answer } from '@gateway/agent-manager-client';
import { releaseFacts } from '../read/release-facts.ts';
import type { HelmRelease } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';
import { installsChart } from './find-agent.ts';

/** Returns the releases that install the agent chart. Reads every source once. */
export const agentReleases = async (
  parts: AgentServiceParts,
  releases: readonly HelmRelease[],
): Promise<Answer<readonly HelmRelease[]>> => {
  const isOfChart = new Map<string, boolean>();
  for (const release of releases) {
    const key = releaseFacts(release).sourceKey;
    if (isOfChart.has(key)) continue;
    const installed = await installsChart(parts, release);
    if (!installed.ok) return installed;
    isOfChart.set(key, installed.value);
  }
  return {
    ok: true,
    value: releases.filter((release) => isOfChart.get(releaseFacts(release).sourceKey)),
  };
};
