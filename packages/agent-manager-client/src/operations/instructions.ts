/** The `instructions` of the MCP server: how a model uses the operations. */
export const INSTRUCTIONS =
  'An agent declares with `toolset` which tools of the gateway it may use. List agents and model configurations with list_agents and list_model_configs. Validate a change with validate_agent, then apply it with create_agent or update_agent. get_agent_status reports when the agent runs.';
