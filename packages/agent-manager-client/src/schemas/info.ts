import * as z from 'zod';
import { SCHEMA_SOURCES } from './results.ts';

const capabilities = z.object({
  list: z.boolean(),
  get: z.boolean(),
  create: z.boolean(),
  update: z.boolean(),
  delete: z.boolean(),
  status: z.boolean(),
  validate: z.boolean(),
  modelConfigs: z.boolean(),
  skills: z.boolean(),
  writesAsCaller: z.boolean(),
});

/** The answer of `get_info`. */
export const info = z.object({
  version: z.string(),
  chart: z.object({
    ociUrl: z.string(),
    semver: z.string(),
    latestVersion: z.string().optional(),
    schemaVersion: z.string(),
    schemaSource: z.enum(SCHEMA_SOURCES),
    resolvedAt: z.string().optional(),
    error: z.string().optional(),
  }),
  namespaces: z.object({ default: z.string(), managed: z.array(z.string()) }),
  capabilities,
  identity: z.enum(['caller', 'serviceAccount']),
  apiVersions: z.object({
    agent: z.string(),
    modelConfig: z.string(),
    helmRelease: z.string(),
    ociRepository: z.string(),
  }),
  flux: z.object({
    helmReleaseInterval: z.string(),
    ociRepositoryInterval: z.string(),
    serviceAccountName: z.string().optional(),
  }),
  skillsRepositories: z.array(z.string()),
});

/** The answer of `list_model_configs`. */
export const modelConfigList = z.object({
  modelConfigs: z.array(
    z.object({
      name: z.string(),
      namespace: z.string(),
      provider: z.string().optional(),
      model: z.string().optional(),
      accepted: z.boolean().nullable(),
      message: z.string().optional(),
      managedBy: z.string().optional(),
    }),
  ),
});

/** The answer of `list_skills`. */
export const skillList = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      repository: z.string(),
      ref: z.string(),
      path: z
        .string()
        .meta({ description: 'Folder of the skill in the repository; empty for its root.' }),
    }),
  ),
});

/** The answer of `get_info`. */
export type Info = z.output<typeof info>;
/** The answer of `list_model_configs`. */
export type ModelConfigList = z.output<typeof modelConfigList>;
/** The answer of `list_skills`. */
export type SkillList = z.output<typeof skillList>;
