//! The memory of handles, as a driver accesses it.

use crate::desc::DriverHandle;

/// Access to the memory of a driver's handles. References must not outlive a call.
pub trait HandleMemory {
    /// Reads from this address on. Bytes outside all handles are read as zero.
    fn read(&mut self, address: u64, bytes: &mut [u8]);

    /// Finds the handle whose memory contains this address.
    fn handle_at(&self, address: u64) -> Option<DriverHandle>;

    /// Writes from this address on. Bytes that are not the context's own are left unchanged.
    fn write(&mut self, address: u64, bytes: &[u8]);

    /// Reads an 8-byte number.
    fn read_u64(&mut self, address: u64) -> u64 {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Writes an 8-byte number.
    fn write_u64(&mut self, address: u64, value: u64) {
        self.write(address, &value.to_le_bytes());
    }
}
