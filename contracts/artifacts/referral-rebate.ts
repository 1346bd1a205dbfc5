// ReferralRebate, as contracts/scripts/compile.ts wrote it. Change the source and compile it again instead.

export const referralRebateAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IERC20",
        "name": "asset_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "admin",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "AccessControlBadConfirmation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "neededRole",
        "type": "bytes32"
      }
    ],
    "name": "AccessControlUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "batchId",
        "type": "bytes32"
      }
    ],
    "name": "BatchAlreadySynced",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "CodeTaken",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "CodeUnchanged",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "EmptyCode",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "EnforcedPause",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ExpectedPause",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "users",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amounts",
        "type": "uint256"
      }
    ],
    "name": "InvalidBatchSize",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "InvalidRecipient",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "tier",
        "type": "uint8"
      }
    ],
    "name": "InvalidTier",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint16",
        "name": "totalBps",
        "type": "uint16"
      },
      {
        "internalType": "uint16",
        "name": "discountShareBps",
        "type": "uint16"
      }
    ],
    "name": "InvalidTierTerms",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "NothingToClaim",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "OwnCode",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "UnexpectedAmountReceived",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "UnknownCode",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "batchId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "userCount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "total",
        "type": "uint256"
      }
    ],
    "name": "BatchSynced",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "CodeRegistered",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "trader",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "oldCode",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newCode",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "oldReferrer",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newReferrer",
        "type": "address"
      }
    ],
    "name": "CodeUsed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "Paused",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldClaimed",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newClaimed",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "nonce",
        "type": "uint64"
      }
    ],
    "name": "RebateClaimed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "batchId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldCredited",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newCredited",
        "type": "uint256"
      }
    ],
    "name": "RebateCredited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "previousAdminRole",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newAdminRole",
        "type": "bytes32"
      }
    ],
    "name": "RoleAdminChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "affiliate",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "oldTier",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "newTier",
        "type": "uint8"
      }
    ],
    "name": "TierChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint8",
        "name": "tier",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint16",
        "name": "oldTotalBps",
        "type": "uint16"
      },
      {
        "indexed": false,
        "internalType": "uint16",
        "name": "oldDiscountShareBps",
        "type": "uint16"
      },
      {
        "indexed": false,
        "internalType": "uint16",
        "name": "newTotalBps",
        "type": "uint16"
      },
      {
        "indexed": false,
        "internalType": "uint16",
        "name": "newDiscountShareBps",
        "type": "uint16"
      }
    ],
    "name": "TierTermsChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "Unpaused",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "DEFAULT_ADMIN_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAX_BATCH_SIZE",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "OPERATOR_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "PAUSER_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "TIER_COUNT",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "asset",
    "outputs": [
      {
        "internalType": "contract IERC20",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "claim",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "codeOwner",
    "outputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      }
    ],
    "name": "getRoleAdmin",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "grantRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "hasRole",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "batchId",
        "type": "bytes32"
      }
    ],
    "name": "isBatchSynced",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "isOperator",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "paused",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "registerCode",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "callerConfirmation",
        "type": "address"
      }
    ],
    "name": "renounceRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "affiliate",
        "type": "address"
      },
      {
        "internalType": "uint8",
        "name": "tier",
        "type": "uint8"
      }
    ],
    "name": "setTier",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "tier",
        "type": "uint8"
      },
      {
        "internalType": "uint16",
        "name": "totalBps",
        "type": "uint16"
      },
      {
        "internalType": "uint16",
        "name": "discountShareBps",
        "type": "uint16"
      }
    ],
    "name": "setTierTerms",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "interfaceId",
        "type": "bytes4"
      }
    ],
    "name": "supportsInterface",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "batchId",
        "type": "bytes32"
      },
      {
        "internalType": "address[]",
        "name": "users",
        "type": "address[]"
      },
      {
        "internalType": "uint256[]",
        "name": "amounts",
        "type": "uint256[]"
      }
    ],
    "name": "syncRebates",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "tier",
        "type": "uint8"
      }
    ],
    "name": "tierTerms",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint16",
            "name": "totalBps",
            "type": "uint16"
          },
          {
            "internalType": "uint16",
            "name": "discountShareBps",
            "type": "uint16"
          }
        ],
        "internalType": "struct ReferralRebate.TierTerms",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalClaimed",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalCredited",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "trader",
        "type": "address"
      }
    ],
    "name": "traderReferral",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "code",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "referrer",
            "type": "address"
          },
          {
            "internalType": "uint16",
            "name": "totalBps",
            "type": "uint16"
          },
          {
            "internalType": "uint16",
            "name": "discountBps",
            "type": "uint16"
          },
          {
            "internalType": "uint16",
            "name": "affiliateBps",
            "type": "uint16"
          }
        ],
        "internalType": "struct ReferralRebate.TraderReferral",
        "name": "referral",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "unpause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "code",
        "type": "bytes32"
      }
    ],
    "name": "useCode",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "userRebate",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "credited",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "claimed",
            "type": "uint256"
          },
          {
            "internalType": "uint64",
            "name": "nonce",
            "type": "uint64"
          },
          {
            "internalType": "bytes32",
            "name": "code",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "referrer",
            "type": "address"
          },
          {
            "internalType": "uint8",
            "name": "tier",
            "type": "uint8"
          }
        ],
        "internalType": "struct ReferralRebate.UserRebate",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;

export const referralRebateBytecode =
  "0x60a060405234801561000f575f5ffd5b50604051611c93380380611c9383398101604081905261002e91610320565b81816001600160a01b038216158061004d57506001600160a01b038116155b1561006b5760405163d92e233d60e01b815260040160405180910390fd5b6001600160a01b0382166080526100825f826100e1565b50505061009a5f6103e861138861018a60201b60201c565b6100aa60016105dc61138861018a565b6100ba60026107d061138861018a565b6100ca60036109c4610fa061018a565b6100da6004610bb8610fa061018a565b505061036c565b5f828152602081815260408083206001600160a01b038516845290915281205460ff16610181575f838152602081815260408083206001600160a01b03861684529091529020805460ff191660011790556101393390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a4506001610184565b505f5b92915050565b610193836102e0565b61271061ffff831611806101ac575061271061ffff8216115b156101dd57604051630f00142160e11b815261ffff8084166004830152821660248201526044015b60405180910390fd5b5f60048460ff16600581106101f4576101f4610358565b604080518082018252919092015461ffff808216835262010000909104811660208084019190915283518085019094528682168452908516908301529150600460ff86166005811061024857610248610358565b82519101805460209384015161ffff908116620100000263ffffffff1990921693169290921791909117905581519082015160405160ff8716927fd5e6c638012fc3cf6d64dc2d1f1d363461eab8d7f5c4328811a32278b200f31f926102d2928890889061ffff948516815292841660208401529083166040830152909116606082015260800190565b60405180910390a250505050565b600560ff82161061030957604051635e50d4ab60e11b815260ff821660048201526024016101d4565b50565b6001600160a01b0381168114610309575f5ffd5b5f5f60408385031215610331575f5ffd5b825161033c8161030c565b602084015190925061034d8161030c565b809150509250929050565b634e487b7160e01b5f52603260045260245ffd5b6080516118f36103a05f395f818161030d015281816110990152818161111901528181611162015261123701526118f35ff3fe608060405234801561000f575f5ffd5b50600436106101c6575f3560e01c80635c975abb116100fe57806393e2282d1161009e578063d547741f1161006e578063d547741f14610557578063d54ad2a11461056a578063e63ab1e914610573578063f5b541a61461059a575f5ffd5b806393e2282d14610522578063a217fddf14610535578063cdbcbe5b1461053c578063cfdbf2541461054f575f5ffd5b80638456cb59116100d95780638456cb59146103925780638643b8211461039a5780639120be0b146104ac57806391d148541461050f575f5ffd5b80635c975abb146103525780636d70f7ae1461035d5780637265ae7d14610370575f5ffd5b806336331c8f1161016957806338d52e0f1161014457806338d52e0f146103085780633f4ba83a1461032f5780634457384f146103375780634e71d92d1461034a575f5ffd5b806336331c8f146102c857806336568abe146102e257806336def2c8146102f5575f5ffd5b80631d2d9651116101a45780631d2d965114610249578063248a9ca31461025e5780632f2ff15d146102805780632f535d2b14610293575f5ffd5b806301ffc9a7146101ca578063067b23c3146101f257806311ad2f3414610209575b5f5ffd5b6101dd6101d83660046115eb565b6105ae565b60405190151581526020015b60405180910390f35b6101fb60025481565b6040519081526020016101e9565b610231610217366004611619565b60096020525f90815260409020546001600160a01b031681565b6040516001600160a01b0390911681526020016101e9565b61025c610257366004611619565b6105e4565b005b6101fb61026c366004611619565b5f9081526020819052604090206001015490565b61025c61028e36600461164b565b6106f3565b6102a66102a1366004611685565b61071d565b60408051825161ffff90811682526020938401511692810192909252016101e9565b6102d0600581565b60405160ff90911681526020016101e9565b61025c6102f036600461164b565b610777565b61025c610303366004611619565b6107af565b6102317f000000000000000000000000000000000000000000000000000000000000000081565b61025c61085b565b61025c6103453660046116e6565b610890565b61025c610a31565b60015460ff166101dd565b6101dd61036b36600461175f565b610b47565b6101dd61037e366004611619565b600a6020525f908152604090205460ff1681565b61025c610b5f565b61044f6103a836600461175f565b6040805160c0810182525f80825260208201819052918101829052606081018290526080810182905260a0810191909152506001600160a01b039081165f908152600b60209081526040808320815160c08101835281548152600182015481850152600282015467ffffffffffffffff81168285015260039092015460608201819052855260099093529220549092166080830152600160401b900460ff1660a082015290565b6040516101e99190815181526020808301519082015260408083015167ffffffffffffffff1690820152606080830151908201526080808301516001600160a01b03169082015260a09182015160ff169181019190915260c00190565b6104bf6104ba36600461175f565b610b91565b60408051825181526020808401516001600160a01b0316908201528282015161ffff908116928201929092526060808401518316908201526080928301519091169181019190915260a0016101e9565b6101dd61051d36600461164b565b610ca2565b61025c610530366004611778565b610cca565b6101fb5f81565b61025c61054a3660046117b1565b610db4565b6101fb60c881565b61025c61056536600461164b565b610dc9565b6101fb60035481565b6101fb7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a81565b6101fb5f5160206118c75f395f51905f5281565b5f6001600160e01b03198216637965db0b60e01b14806105de57506301ffc9a760e01b6001600160e01b03198316145b92915050565b6105ec610ded565b5f818152600960205260409020546001600160a01b031680610629576040516383fb9b6160e01b8152600481018390526024015b60405180910390fd5b336001600160a01b0382160361065557604051633ae3304360e21b815260048101839052602401610620565b335f908152600b60205260409020600381015483810361068b57604051630d6c6c4b60e11b815260048101859052602401610620565b600382018490555f818152600960209081526040918290205482518481526001600160a01b0391821692810192909252851691869133917f6af599e49fb57cf258f646332667b14c6f128a16a3e39ea8cf660c453e4d4099910160405180910390a450505050565b5f8281526020819052604090206001015461070d81610e11565b6107178383610e1b565b50505050565b604080518082019091525f808252602082015261073982610eaa565b60048260ff166005811061074f5761074f6117f1565b6040805180820190915291015461ffff80821683526201000090910416602082015292915050565b6001600160a01b03811633146107a05760405163334bd91960e11b815260040160405180910390fd5b6107aa8282610ed3565b505050565b6107b7610ded565b806107d557604051631858b10b60e01b815260040160405180910390fd5b5f818152600960205260409020546001600160a01b03161561080d57604051631a9a0b8f60e11b815260048101829052602401610620565b5f8181526009602052604080822080546001600160a01b031916339081179091559051909183917fb8c61350bf0e99e30abde245394b74ed535d7eb3d35779030fc6774665bd90359190a350565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61088581610e11565b61088d610f3c565b50565b610898610f8e565b6108a0610ded565b5f5160206118c75f395f51905f526108b781610e11565b8315806108c4575060c884115b806108cf5750838214155b156108f7576040516325128c9560e01b81526004810185905260248101839052604401610620565b5f868152600a602052604090205460ff16156109295760405163d146ed7760e01b815260048101879052602401610620565b5f868152600a60205260408120805460ff19166001179055805b858110156109c25784848281811061095d5761095d6117f1565b905060200201358261096f9190611819565b91506109ba88888884818110610987576109876117f1565b905060200201602081019061099c919061175f565b8787858181106109ae576109ae6117f1565b90506020020135610fc3565b600101610943565b508060025f8282546109d49190611819565b90915550506040805186815260208101839052339189917f82ca2473386d72f3ecc971d6e83dd8c522bb7543495c9175dc7f8161e723421c910160405180910390a3610a203382611082565b5050610a2a611200565b5050505050565b610a39610f8e565b335f908152600b6020526040902060018101548154818103610a70576040516332559a3360e11b8152336004820152602401610620565b5f610a7b838361182c565b60028501549091505f90610a9a9067ffffffffffffffff16600161183f565b6001860184905560028601805467ffffffffffffffff191667ffffffffffffffff83161790556003805491925083915f90610ad6908490611819565b9091555050604080518381526020810186905290810184905267ffffffffffffffff8216606082015233907f5dd001e45f73b818a15a999351963c11c01cda72983853f9ae5c0f8802ec7df79060800160405180910390a2610b38338361122a565b5050505050610b45611200565b565b5f6105de5f5160206118c75f395f51905f5283610ca2565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a610b8981610e11565b61088d611262565b6040805160a0810182525f808252602080830182905282840182905260608301829052608083018290526001600160a01b0385168252600b90529190912060030154808252610bdf57919050565b80515f908152600960209081526040808320546001600160a01b03168285018190528352600b909152812060020154600490600160401b900460ff1660058110610c2b57610c2b6117f1565b604080518082018252929091015461ffff80821680855262010000909204811660208501908152928601919091529051825192935061271092610c7292918216911661185f565b610c7c9190611876565b61ffff16606083018190528151610c939190611895565b61ffff16608083015250919050565b5f918252602082815260408084206001600160a01b0393909316845291905290205460ff1690565b5f5160206118c75f395f51905f52610ce181610e11565b6001600160a01b038316610d085760405163d92e233d60e01b815260040160405180910390fd5b610d1182610eaa565b6001600160a01b0383165f818152600b6020908152604091829020600201548251600160401b90910460ff90811682528616918101919091527fb7ec60b12ca5295d12a82241bcce2a7d06f5bf3a82c536321f6078d77e6587c6910160405180910390a2506001600160a01b039091165f908152600b60205260409020600201805460ff909216600160401b0268ff000000000000000019909216919091179055565b5f610dbe81610e11565b61071784848461129d565b5f82815260208190526040902060010154610de381610e11565b6107178383610ed3565b60015460ff1615610b455760405163d93c066560e01b815260040160405180910390fd5b61088d81336113ee565b5f610e268383610ca2565b610ea3575f838152602081815260408083206001600160a01b03861684529091529020805460ff19166001179055610e5b3390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a45060016105de565b505f6105de565b600560ff82161061088d57604051635e50d4ab60e11b815260ff82166004820152602401610620565b5f610ede8383610ca2565b15610ea3575f838152602081815260408083206001600160a01b0386168085529252808320805460ff1916905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a45060016105de565b610f44611427565b6001805460ff191690557f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa335b6040516001600160a01b03909116815260200160405180910390a1565b610f9661144a565b610b4560017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b9061148a565b6001600160a01b038216610fea5760405163d92e233d60e01b815260040160405180910390fd5b610ff381611491565b6001600160a01b0382165f908152600b60205260409020546110158282611819565b6001600160a01b0384165f818152600b6020526040902091909155847fcc5ef94cd9314cec3656446b92fe5a52171a2f05ab76b1d049b9a0ed2a223cbc848461105e8282611819565b6040805193845260208401929092529082015260600160405180910390a350505050565b6040516370a0823160e01b81523060048201525f907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316906370a0823190602401602060405180830381865afa1580156110e6573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061110a91906118af565b90506111416001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168430856114b1565b6040516370a0823160e01b81523060048201525f9082906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa1580156111a7573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906111cb91906118af565b6111d5919061182c565b905082811461071757604051621d77cb60e51b81526004810184905260248101829052604401610620565b610b455f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00610fbd565b61125e6001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001683836114e7565b5050565b61126a610ded565b6001805460ff1916811790557f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a25833610f71565b6112a683610eaa565b61271061ffff831611806112bf575061271061ffff8216115b156112eb57604051630f00142160e11b815261ffff808416600483015282166024820152604401610620565b5f60048460ff1660058110611302576113026117f1565b604080518082018252919092015461ffff808216835262010000909104811660208084019190915283518085019094528682168452908516908301529150600460ff861660058110611356576113566117f1565b82519101805460209384015161ffff908116620100000263ffffffff1990921693169290921791909117905581519082015160405160ff8716927fd5e6c638012fc3cf6d64dc2d1f1d363461eab8d7f5c4328811a32278b200f31f926113e0928890889061ffff948516815292841660208401529083166040830152909116606082015260800190565b60405180910390a250505050565b6113f88282610ca2565b61125e5760405163e2517d3f60e01b81526001600160a01b038216600482015260248101839052604401610620565b60015460ff16610b4557604051638dfc202b60e01b815260040160405180910390fd5b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610b4557604051633ee5aeb560e01b815260040160405180910390fd5b80825d5050565b805f0361088d57604051631f2a200560e01b815260040160405180910390fd5b6114bf84848484600161151c565b61071757604051635274afe760e01b81526001600160a01b0385166004820152602401610620565b6114f48383836001611589565b6107aa57604051635274afe760e01b81526001600160a01b0384166004820152602401610620565b6040516323b872dd60e01b5f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f5114831661157857838315161561156c573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b60405163a9059cbb60e01b5f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166115df5783831516156115d3573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f602082840312156115fb575f5ffd5b81356001600160e01b031981168114611612575f5ffd5b9392505050565b5f60208284031215611629575f5ffd5b5035919050565b80356001600160a01b0381168114611646575f5ffd5b919050565b5f5f6040838503121561165c575f5ffd5b8235915061166c60208401611630565b90509250929050565b803560ff81168114611646575f5ffd5b5f60208284031215611695575f5ffd5b61161282611675565b5f5f83601f8401126116ae575f5ffd5b50813567ffffffffffffffff8111156116c5575f5ffd5b6020830191508360208260051b85010111156116df575f5ffd5b9250929050565b5f5f5f5f5f606086880312156116fa575f5ffd5b85359450602086013567ffffffffffffffff811115611717575f5ffd5b6117238882890161169e565b909550935050604086013567ffffffffffffffff811115611742575f5ffd5b61174e8882890161169e565b969995985093965092949392505050565b5f6020828403121561176f575f5ffd5b61161282611630565b5f5f60408385031215611789575f5ffd5b61179283611630565b915061166c60208401611675565b803561ffff81168114611646575f5ffd5b5f5f5f606084860312156117c3575f5ffd5b6117cc84611675565b92506117da602085016117a0565b91506117e8604085016117a0565b90509250925092565b634e487b7160e01b5f52603260045260245ffd5b634e487b7160e01b5f52601160045260245ffd5b808201808211156105de576105de611805565b818103818111156105de576105de611805565b67ffffffffffffffff81811683821601908111156105de576105de611805565b80820281158282048414176105de576105de611805565b5f8261189057634e487b7160e01b5f52601260045260245ffd5b500490565b61ffff82811682821603908111156105de576105de611805565b5f602082840312156118bf575f5ffd5b505191905056fe97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b929a164736f6c6343000825000a" as const;
