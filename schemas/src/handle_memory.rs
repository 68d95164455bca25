//! The memory behind handles, as a driver reaches it.

use crate::desc::DriverHandle;

/// What lies behind the handles that a driver was given. Nothing of it outlives a call.
pub trait HandleMemory {
    /// Reads from this address on. What is no handle's is read as zero.
    fn read(&mut self, address: u64, bytes: &mut [u8]);

    /// The handle whose memory this address lies in.
    fn handle_at(&self, address: u64) -> Option<DriverHandle>;

    /// Writes from this address on. What is not the context's own is left as it is.
    fn write(&mut self, address: u64, bytes: &[u8]);

    /// A number of eight bytes.
    fn read_u64(&mut self, address: u64) -> u64 {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Writes a number of eight bytes.
    fn write_u64(&mut self, address: u64, value: u64) {
        self.write(address, &value.to_le_bytes());
    }
}
