import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

it('contains the parts with versions, and the presets', async () => {
  const texts = await templateTexts('agent-platform', '{{ include "agent-platform.notes" . }}', [
    {},
    {
      namespace: 'platform',
      components: {
        'agent-manager': { enabled: false },
        kagent: { chart: 'kagent/helm/kagent', versionRange: '0.9.x' },
      },
      muster: { muster: { toolsetPresets: { support: { include: [{ server: 'github' }] } } } },
    },
  ]);
  expect(texts).toEqual([
    `Flux installs the parts of the platform into the namespace agent-platform:
  agent-manager: chart agent-manager >=0.4.0 <1.0.0
  agent-platform-mcps: chart agent-platform-mcps >=0.9.0 <1.0.0
  model-manager: chart model-manager >=0.18.0 <1.0.0
  muster: chart gateway >=5.12.0 <6.0.0

  kubectl get helmreleases.helm.toolkit.fluxcd.io --namespace demo-ns

Toolset presets: agent-platform, infrastructure.`,
    `Flux installs the parts of the platform into the namespace platform:
  agent-platform-mcps: chart agent-platform-mcps >=0.9.0 <1.0.0
  kagent: chart kagent/helm/kagent 0.9.x
  model-manager: chart model-manager >=0.18.0 <1.0.0
  muster: chart gateway >=5.12.0 <6.0.0

  kubectl get helmreleases.helm.toolkit.fluxcd.io --namespace demo-ns

Toolset presets: agent-platform, infrastructure, support.`,
  ]);
});
