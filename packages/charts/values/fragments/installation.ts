import { z } from 'zod';
import { DEFAULT_API_GROUP, DEFAULT_LABEL_DOMAIN } from '@gateway/crd-schemas';

const DNS_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u;
const EMPTY_OR_DNS_NAME = new RegExp(`^$|${DNS_NAME.source}`, 'u');

const domain = (fallback: string, description: string) =>
  z.string().max(253).regex(DNS_NAME).default(fallback).meta({ description });

/** API group of the gateway's resources. */
export const apiGroup = domain(
  DEFAULT_API_GROUP,
  'API group of the resources MCPServer and Workflow. `global.apiGroup` of a parent chart takes precedence.',
);

/** Domain of the platform's labels. */
export const labelDomain = domain(
  DEFAULT_LABEL_DOMAIN,
  'Domain of the platform’s labels, such as `<labelDomain>/tool-group`. `global.labelDomain` of a parent chart takes precedence.',
);

/** A name that a parent chart can set for all of its parts; empty means unset. */
export const globalDomain = (key: string) =>
  z
    .string()
    .max(253)
    .regex(EMPTY_OR_DNS_NAME)
    .optional()
    .meta({ description: `Wins over \`${key}\`.` });

/** Values that a parent chart sets for all of its parts. */
export const globalValues = z
  .looseObject({
    apiGroup: globalDomain('apiGroup'),
    labelDomain: globalDomain('labelDomain'),
    imageRegistry: z
      .string()
      .optional()
      .meta({ description: 'Takes precedence over `image.registry`.' }),
  })
  .default({})
  .meta({ description: 'Values that a parent chart sets for all of its parts.' });
