/** The risks of an entry from another source, each of which a user may accept by its name. */
export const RISKS = ['address', 'container', 'environment', 'plain-http', 'runtime'] as const;

/** One of {@link RISKS}. */
export type Risk = (typeof RISKS)[number];

/** A part of an entry that is refused unless a user accepts its risk. */
export interface ServerRisk {
  readonly code: 'risk';
  readonly risk: Risk;
  /** The part of the entry, without values that may be secrets. */
  readonly part: string;
}

const REASONS: Readonly<Record<Risk, string>> = {
  address: 'is an address of this machine, of its network or of the metadata of a cloud',
  container: 'gives the container access to this machine, or removes its isolation',
  environment: 'is a variable that can change which program or library runs, or whom it trusts',
  'plain-http': 'sends calls and headers without encryption',
  runtime: 'can change what runs, or where it comes from',
};

const MAX_PART_CHARS = 120;

/** Returns the sentence of a risk, with the flag that accepts it. */
export const riskText = ({ risk, part }: ServerRisk): string => {
  const shown = part.length > MAX_PART_CHARS ? `${part.slice(0, MAX_PART_CHARS)}…` : part;
  return `"${shown}" ${REASONS[risk]}; --allow ${risk} accepts it`;
};

/** Variables by which loaders, interpreters, package managers and clients of TLS choose code, places and trust. */
const REDIRECTING =
  /^(?:npm_config_.*|npm_package_.*|node_options|node_(?:path|extra_ca_certs|tls_.*|repl_.*|v8_coverage|use_env_proxy|icu_data|compile_cache|redirect_warnings)|npx_.*|corepack_.*|pnpm_.*|yarn_.*|bun_.*|deno_.*|uv_.*|pip_.*|pipx_.*|poetry_.*|conda_.*|virtual_env|python(?:path|home|startup|inspect|executable|usersite|userbase|breakpoint|platlibdir|warnings|pycacheprefix|httpsverify)|docker_.*|container_.*|buildkit_.*|compose_.*|podman_.*|kubeconfig|ld_.*|dyld_.*|path|pathext|comspec|home|userprofile|appdata|localappdata|xdg_.*|shell|bash_.*|zdotdir|env|ifs|ps4|prompt_command|(?:https?|all|ftp|no|wss?|socks5?|grpc)_proxy|aws_(?:endpoint_url.*|config_file|shared_credentials_file)|krb5.*|gnutls_.*|ssl_cert_.*|sslkeylogfile|(?:curl|requests|aws|grpc|httplib2|deno_tls|cargo_http|git_ssl)_ca(?:_.*)?|.*_ca_(?:bundle|certs?|file)|grpc_default_ssl_roots_file_path|curl_home|git_.*|ssh_.*|gconv_path|locpath|glibc_tunables|malloc_.*|hostaliases|res_options|localdomain|openssl_.*|perl5?.*|ruby(?:opt|lib)|gem_.*|bundle_.*|_?java_(?:tool_)?options|java_opts|java_home|jdk_java_options|classpath|maven_opts|gradle_opts|go(?:proxy|flags|sumdb|nosumdb|nosumcheck|insecure|private|toolchain|path|root)|cargo_.*|rustc_.*|rustup_.*|dotnet_.*|coreclr_.*|cor_.*|nix_.*|lua_.*|php_ini_scan_dir|phprc|electron_run_as_node|editor|visual|(?:.*_|man)?pager|less(?:open|close)|browser|chrome_(?:path|bin)|.*_executable_path|playwright_(?:browsers_path|download_host)|puppeteer_download_.*|gtk_(?:modules|path)|qt_(?:plugin_path|qpa_.*)|gio_(?:extra_modules|module_dir)|fontconfig_.*|erl_.*|elixir_erl_options|julia_.*|r_(?:home|profile.*|environ.*|libs.*)|mono_.*|ts_node_.*|tsx_.*|psmodulepath|windir|systemroot|libpath|shlib_path|makeflags|fpath|cdpath|shellopts|bashopts|nlspath|.*san_options|tmpdir|te?mp)$/iu;

/** Returns whether a variable can change which code runs, where it comes from or whom it trusts. */
export const redirectsTrust = (name: string): boolean => REDIRECTING.test(name);
