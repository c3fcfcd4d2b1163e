import type { Answer } from '@gateway/agent-manager-client';
import { releaseFacts } from '../read/release-facts.ts';
import type { HelmRelease } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';
import { installsChart } from './find-agent.ts';

/** Those releases that install the agent chart. Each source is looked at once, however many have their chart from it. */
export const agentReleases = async (
  parts: AgentServiceParts,
  releases: readonly HelmRelease[],
): Promise<Answer<readonly HelmRelease[]>> => {
  const isOurs = new Map<string, boolean>();
  for (const release of releases) {
    const key = releaseFacts(release).sourceKey;
    if (isOurs.has(key)) continue;
    const installed = await installsChart(parts, release);
    if (!installed.ok) return installed;
    isOurs.set(key, installed.value);
  }
  return {
    ok: true,
    value: releases.filter((release) => isOurs.get(releaseFacts(release).sourceKey)),
  };
};
