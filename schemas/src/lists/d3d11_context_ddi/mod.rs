//! The functions of d3d10umddi.h that a driver with handles per context has, by what they are about. A line stands in the
//! immediate context's table, in a deferred one's, or in both; its first argument says which is called.

mod command_list;
mod context;
mod device;
mod pipeline;
mod query;
mod resource;
mod shader;
mod state;
mod view;
mod work;
