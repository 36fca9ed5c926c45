/** One plan a statement: each is written for one index, and to plan it anew for every company would cost more than it. */
export const ONE_PLAN = 'plan_cache_mode=force_generic_plan'
