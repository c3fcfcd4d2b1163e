import { z } from 'zod';

/** Maximum length of a URL in the resource `MCPServer`. */
export const MAX_URL_CHARS = 2_048;

/** The name of a namespace, or of a resource whose name is one. */
export const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;

/** Empty, or the name of a namespace. */
export const DNS_LABEL_OR_NONE = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/u;

/** Dot-separated labels, such as `cluster.local`: what Kubernetes calls a DNS subdomain. */
export const DNS_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

/*
 * URLs, in patterns that Go reads too. Stricter than those of the resource, which asks a parser of URLs besides: what
 * these let through, it takes. No user and no password, which belong into a Secret; no host of a single letter, which
 * the resource takes only with something behind.
 */
const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const LABEL = '[A-Za-z0-9]([-A-Za-z0-9_]*[A-Za-z0-9])?';
const LAST_LABEL = '[A-Za-z]([-A-Za-z0-9_]*[A-Za-z0-9])?';
const ONLY_LABEL = '[A-Za-z][-A-Za-z0-9_]*[A-Za-z0-9]';
const HOST_NAME = `((${LABEL}\\.)+${LAST_LABEL}|${ONLY_LABEL})\\.?`;
const IP_V6 = '\\[[0-9A-Fa-f:]{2,39}\\]';
const HOST = `(${HOST_NAME}|(${OCTET}\\.){3}${OCTET}|${IP_V6})`;
const PORT = '([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const AUTHORITY = `${HOST}(:${PORT})?`;
const REST = '([/?#][!-~]*)?';

/** A URL over HTTP. */
export const HTTP_URL = new RegExp(`^https?://${AUTHORITY}${REST}$`, 'u');

/** Empty, or a URL over HTTP. */
export const HTTP_URL_OR_NONE = new RegExp(`^(https?://${AUTHORITY}${REST})?$`, 'u');

/** A URL over HTTPS. */
export const HTTPS_URL = new RegExp(`^https://${AUTHORITY}${REST}$`, 'u');

/** An OAuth issuer: no trailing slash, no query, no fragment. RFC 8414 §2 */
export const ISSUER_URL = new RegExp(`^https://${AUTHORITY}(/[!-"$->@-~]*[!-"$-.0->@-~])?$`, 'u');

const LABEL_KEY =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;
export const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/u;

/** Labels of an object in the Kubernetes syntax. */
export const labelsOf = (description: string) =>
  z
    .record(z.string().max(317).regex(LABEL_KEY), z.string().max(63).regex(LABEL_VALUE))
    .default({})
    .meta({ description });

export const namespaceName = z.string().min(1).max(63).regex(DNS_LABEL);

/** An audience of a token. */
export const audience = z.string().min(1).max(1_024);

/** The domain of the cluster's Services. */
export const clusterDomain = z
  .string()
  .max(253)
  .regex(DNS_NAME)
  .default('cluster.local')
  .meta({ description: 'Domain of the cluster’s Services.' });
