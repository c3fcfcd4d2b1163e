// Generated from the agent chart by `pnpm gen`.

/** The agent chart that this version supports: its default values and the schema of its values. */
export const EMBEDDED_CHART = {
  name: "agent",
  version: "0.6.0",
  defaults: {
    agent: {"name":"","displayName":"","description":"","iconUrl":"","systemMessage":"You are a helpful agent.\n","runtime":"go"},
    modelConfig: {"name":"default-model-config"},
    skills: {"refs":[],"gitRefs":[],"gitAuthSecretRef":{"name":""}},
    muster: {"enabled":true,"serverRef":{"kind":"RemoteMCPServer","apiGroup":"kagent.dev","name":"gateway","namespace":"agent-platform"},"allowedHeaders":["authorization"],"toolNames":[],"stsWellKnownUri":""},
    extraTools: [],
    replicas: 1,
    resources: {"requests":{"cpu":"100m","memory":"256Mi"},"limits":{"cpu":"1","memory":"512Mi"}},
    nodeSelector: {},
    tolerations: [],
    labels: {},
    annotations: {},
    labelDomain: "gateway.internal",
    extraAgentSpec: {},
  },
  schema: {
    type: "object",
    properties: {"agent":{"type":"object","properties":{"name":{"type":"string","maxLength":63,"pattern":"^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"},"displayName":{"type":"string","maxLength":63},"description":{"type":"string"},"iconUrl":{"type":"string","maxLength":65536,"pattern":"^$|^(https:\\/\\/|data:image\\/(png|jpeg|gif|webp);base64,)"},"systemMessage":{"type":"string","minLength":1},"runtime":{"type":"string","enum":["go","python"]}},"required":["name","displayName","description","iconUrl","systemMessage","runtime"],"additionalProperties":false},"modelConfig":{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"],"additionalProperties":false},"skills":{"type":"object","properties":{"refs":{"type":"array","items":{"type":"string"}},"gitRefs":{"type":"array","items":{"type":"object","properties":{"url":{"type":"string","maxLength":2048,"pattern":"^(https:\\/\\/|ssh:\\/\\/|[A-Za-z0-9_][-A-Za-z0-9_.]*@)"}}}},"gitAuthSecretRef":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}},"required":["refs","gitRefs","gitAuthSecretRef"],"additionalProperties":false},"muster":{"type":"object","properties":{"enabled":{"type":"boolean"},"serverRef":{"type":"object","properties":{"kind":{"type":"string"},"apiGroup":{"type":"string"},"name":{"type":"string"},"namespace":{"type":"string"}},"required":["kind","apiGroup","name","namespace"],"additionalProperties":false},"allowedHeaders":{"type":"array","items":{"type":"string"}},"toolNames":{"type":"array","items":{"type":"string"}},"stsWellKnownUri":{"type":"string"}},"required":["enabled","serverRef","allowedHeaders","toolNames","stsWellKnownUri"],"additionalProperties":false},"toolset":{"type":["array","null"],"items":{"type":"string"}},"extraTools":{"type":"array","items":{"type":"object"}},"replicas":{"type":"integer","minimum":0},"resources":{"type":"object"},"nodeSelector":{"type":"object","additionalProperties":{"type":"string"}},"tolerations":{"type":"array","items":{"type":"object"}},"labels":{"type":"object","additionalProperties":{"type":"string"}},"annotations":{"type":"object","additionalProperties":{"type":"string"}},"labelDomain":{"type":"string","maxLength":253,"pattern":"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"},"extraAgentSpec":{"type":"object"},"global":{"type":["object","null"],"properties":{"labelDomain":{"type":"string","maxLength":253,"pattern":"^$|^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"}}}},
    required: ["agent","modelConfig","skills","muster","extraTools","replicas","resources","nodeSelector","tolerations","labels","annotations","labelDomain","extraAgentSpec"],
    additionalProperties: false,
  },
} as const;
