//! Placeholder head, replaced by the first real module.
