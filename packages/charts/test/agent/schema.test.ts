import { describe, expect, it } from 'vitest';
import { refusalOf } from './agent-chart.ts';
import { WRONG_VALUES } from './wrong-values.ts';

describe('the schema', () => {
  it('refuses unknown keys at every level by name', async () =>
    expect(
      await refusalOf({
        toolsets: [],
        agent: { nam: 'x' },
        modelConfig: { namespace: 'x' },
        skills: { ref: [], gitAuthSecretRef: { key: 'x' } },
        muster: { enable: true, serverRef: { port: 1 } },
        replica: 1,
      }),
    ).toEqual([
      '- (root): Additional property replica is not allowed',
      '- (root): Additional property toolsets is not allowed',
      '- agent: Additional property nam is not allowed',
      '- modelConfig: Additional property namespace is not allowed',
      '- muster.serverRef: Additional property port is not allowed',
      '- muster: Additional property enable is not allowed',
      '- skills.gitAuthSecretRef: Additional property key is not allowed',
      '- skills: Additional property ref is not allowed',
    ]));

  it('refuses null for each value that has a default, by name', async () => {
    const none = null;
    expect(
      await refusalOf({
        agent: {
          name: none,
          displayName: none,
          description: none,
          iconUrl: none,
          systemMessage: none,
          runtime: none,
        },
        modelConfig: { name: none },
        skills: { refs: none, gitRefs: none, gitAuthSecretRef: { name: none } },
        muster: {
          enabled: none,
          allowedHeaders: none,
          toolNames: none,
          stsWellKnownUri: none,
          serverRef: { kind: none, apiGroup: none, name: none, namespace: none },
        },
        extraTools: none,
        replicas: none,
        resources: none,
        nodeSelector: none,
        tolerations: none,
        labels: none,
        annotations: none,
        labelDomain: none,
        extraAgentSpec: none,
      }),
    ).toEqual([
      '- (root): annotations is required',
      '- (root): extraAgentSpec is required',
      '- (root): extraTools is required',
      '- (root): labelDomain is required',
      '- (root): labels is required',
      '- (root): nodeSelector is required',
      '- (root): replicas is required',
      '- (root): resources is required',
      '- (root): tolerations is required',
      '- agent: description is required',
      '- agent: displayName is required',
      '- agent: iconUrl is required',
      '- agent: name is required',
      '- agent: runtime is required',
      '- agent: systemMessage is required',
      '- modelConfig: name is required',
      '- muster.serverRef: apiGroup is required',
      '- muster.serverRef: kind is required',
      '- muster.serverRef: name is required',
      '- muster.serverRef: namespace is required',
      '- muster: allowedHeaders is required',
      '- muster: enabled is required',
      '- muster: stsWellKnownUri is required',
      '- muster: toolNames is required',
      '- skills.gitAuthSecretRef: name is required',
      '- skills: gitRefs is required',
      '- skills: refs is required',
    ]);
  });

  it('refuses every wrong type and every value out of its bounds', async () => {
    expect(await refusalOf(WRONG_VALUES)).toEqual([
      '- agent.description: Invalid type. Expected: string, given: integer',
      '- agent.displayName: String length must be less than or equal to 63',
      '- agent.iconUrl: Invalid type. Expected: string, given: array',
      "- agent.name: Does not match pattern '^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
      '- agent.runtime: agent.runtime must be one of the following: "go", "python"',
      '- agent.systemMessage: String length must be greater than or equal to 1',
      '- annotations.a: Invalid type. Expected: string, given: null',
      '- annotations.b: Invalid type. Expected: string, given: object',
      '- extraAgentSpec: Invalid type. Expected: object, given: array',
      '- extraTools: Invalid type. Expected: array, given: object',
      '- global: Invalid type. Expected: [object,null], given: string',
      "- labelDomain: Does not match pattern '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$'",
      '- labels.a: Invalid type. Expected: string, given: integer',
      '- modelConfig.name: String length must be greater than or equal to 1',
      '- muster.allowedHeaders: Invalid type. Expected: array, given: string',
      '- muster.enabled: Invalid type. Expected: boolean, given: string',
      '- muster.serverRef.apiGroup: Invalid type. Expected: string, given: integer',
      '- muster.serverRef.kind: Invalid type. Expected: string, given: integer',
      '- muster.serverRef.name: Invalid type. Expected: string, given: integer',
      '- muster.serverRef.namespace: Invalid type. Expected: string, given: integer',
      '- muster.stsWellKnownUri: Invalid type. Expected: string, given: integer',
      '- muster.toolNames.0: Invalid type. Expected: string, given: object',
      '- nodeSelector.a: Invalid type. Expected: string, given: boolean',
      '- replicas: Must be greater than or equal to 0',
      '- resources: Invalid type. Expected: object, given: array',
      '- skills.gitAuthSecretRef: Invalid type. Expected: object, given: string',
      '- skills.gitRefs: Invalid type. Expected: array, given: object',
      '- skills.refs.0: Invalid type. Expected: string, given: integer',
      '- tolerations: Invalid type. Expected: array, given: string',
      '- toolset: Invalid type. Expected: [array,null], given: object',
    ]);
    expect(await refusalOf({ replicas: 1.5, agent: { name: 'a'.repeat(64) } })).toEqual([
      '- agent.name: String length must be less than or equal to 63',
      '- replicas: Invalid type. Expected: integer, given: number',
    ]);
  });
});
